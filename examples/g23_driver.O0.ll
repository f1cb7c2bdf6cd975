; ModuleID = 'g23_driver.c'
source_filename = "g23_driver.c"
target datalayout = "e-m:o-p:16:16-p1:16:16-p2:32:16-p3:32:16-i32:16-i64:16-f32:16-f64:16-a:8-n8:16-S16"
target triple = "rl78-unknown-unknown-elf"

%struct.serial_unit = type { [4 x i16], [4 x i16], [4 x i16], [4 x i16], i8, i8, i8, i8, i8, i8 }

@events = dso_local global i16 0, align 2, !dbg !0
@heartbeat = dso_local global i8 0, align 1, !dbg !43
@options = dso_local global i32 0, align 2, !dbg !45

; Function Attrs: noinline nounwind optnone
define dso_local void @led_init() #0 !dbg !52 {
entry:
  %0 = load volatile i8, ptr inttoptr (i16 -251 to ptr), align 1, !dbg !55
  %conv = zext i8 %0 to i16, !dbg !55
  %and = and i16 %conv, 247, !dbg !55
  %conv1 = trunc i16 %and to i8, !dbg !55
  store volatile i8 %conv1, ptr inttoptr (i16 -251 to ptr), align 1, !dbg !55
  %1 = load volatile i8, ptr inttoptr (i16 -219 to ptr), align 1, !dbg !56
  %conv2 = zext i8 %1 to i16, !dbg !56
  %and3 = and i16 %conv2, 247, !dbg !56
  %conv4 = trunc i16 %and3 to i8, !dbg !56
  store volatile i8 %conv4, ptr inttoptr (i16 -219 to ptr), align 1, !dbg !56
  ret void, !dbg !57
}

; Function Attrs: noinline nounwind optnone
define dso_local void @led_on() #0 !dbg !58 {
entry:
  %0 = load volatile i8, ptr inttoptr (i16 -251 to ptr), align 1, !dbg !59
  %conv = zext i8 %0 to i16, !dbg !59
  %or = or i16 %conv, 8, !dbg !59
  %conv1 = trunc i16 %or to i8, !dbg !59
  store volatile i8 %conv1, ptr inttoptr (i16 -251 to ptr), align 1, !dbg !59
  ret void, !dbg !60
}

; Function Attrs: noinline nounwind optnone
define dso_local void @led_off() #0 !dbg !61 {
entry:
  %0 = load volatile i8, ptr inttoptr (i16 -251 to ptr), align 1, !dbg !62
  %conv = zext i8 %0 to i16, !dbg !62
  %and = and i16 %conv, 247, !dbg !62
  %conv1 = trunc i16 %and to i8, !dbg !62
  store volatile i8 %conv1, ptr inttoptr (i16 -251 to ptr), align 1, !dbg !62
  ret void, !dbg !63
}

; Function Attrs: noinline nounwind optnone
define dso_local void @led_toggle() #0 !dbg !64 {
entry:
  %0 = load volatile i8, ptr inttoptr (i16 -251 to ptr), align 1, !dbg !65
  %conv = zext i8 %0 to i16, !dbg !65
  %xor = xor i16 %conv, 8, !dbg !65
  %conv1 = trunc i16 %xor to i8, !dbg !65
  store volatile i8 %conv1, ptr inttoptr (i16 -251 to ptr), align 1, !dbg !65
  ret void, !dbg !66
}

; Function Attrs: noinline nounwind optnone
define dso_local void @led_write(i8 noundef zeroext %on) #0 !dbg !67 {
entry:
  %on.addr = alloca i8, align 1
  store i8 %on, ptr %on.addr, align 1
    #dbg_declare(ptr %on.addr, !71, !DIExpression(), !72)
  %0 = load i8, ptr %on.addr, align 1, !dbg !73
  %bf.load = load volatile i8, ptr inttoptr (i16 -251 to ptr), align 1, !dbg !74
  %bf.value = and i8 %0, 1, !dbg !74
  %bf.shl = shl i8 %bf.value, 3, !dbg !74
  %bf.clear = and i8 %bf.load, -9, !dbg !74
  %bf.set = or i8 %bf.clear, %bf.shl, !dbg !74
  store volatile i8 %bf.set, ptr inttoptr (i16 -251 to ptr), align 1, !dbg !74
  ret void, !dbg !75
}

; Function Attrs: noinline nounwind optnone
define dso_local void @led_pair_on() #0 !dbg !76 {
entry:
  %0 = load volatile i8, ptr inttoptr (i16 -251 to ptr), align 1, !dbg !77
  %conv = zext i8 %0 to i16, !dbg !77
  %or = or i16 %conv, 24, !dbg !77
  %conv1 = trunc i16 %or to i8, !dbg !77
  store volatile i8 %conv1, ptr inttoptr (i16 -251 to ptr), align 1, !dbg !77
  %1 = load volatile i8, ptr inttoptr (i16 -219 to ptr), align 1, !dbg !78
  %conv2 = zext i8 %1 to i16, !dbg !78
  %and = and i16 %conv2, 231, !dbg !78
  %conv3 = trunc i16 %and to i8, !dbg !78
  store volatile i8 %conv3, ptr inttoptr (i16 -219 to ptr), align 1, !dbg !78
  ret void, !dbg !79
}

; Function Attrs: noinline nounwind optnone
define dso_local void @button_init() #0 !dbg !80 {
entry:
  %0 = load volatile i8, ptr inttoptr (i16 -221 to ptr), align 1, !dbg !81
  %conv = zext i8 %0 to i16, !dbg !81
  %or = or i16 %conv, 1, !dbg !81
  %conv1 = trunc i16 %or to i8, !dbg !81
  store volatile i8 %conv1, ptr inttoptr (i16 -221 to ptr), align 1, !dbg !81
  %1 = load volatile i8, ptr inttoptr (i16 51 to ptr), align 1, !dbg !82
  %conv2 = zext i8 %1 to i16, !dbg !82
  %or3 = or i16 %conv2, 1, !dbg !82
  %conv4 = trunc i16 %or3 to i8, !dbg !82
  store volatile i8 %conv4, ptr inttoptr (i16 51 to ptr), align 1, !dbg !82
  ret void, !dbg !83
}

; Function Attrs: noinline nounwind optnone
define dso_local zeroext i8 @button_pressed() #0 !dbg !84 {
entry:
  %retval = alloca i8, align 1
  %0 = load volatile i8, ptr inttoptr (i16 -253 to ptr), align 1, !dbg !87
  %conv = zext i8 %0 to i16, !dbg !87
  %and = and i16 %conv, 1, !dbg !89
  %tobool = icmp ne i16 %and, 0, !dbg !89
  br i1 %tobool, label %if.then, label %if.end, !dbg !90

if.then:                                          ; preds = %entry
  store i8 0, ptr %retval, align 1, !dbg !91
  br label %return, !dbg !91

if.end:                                           ; preds = %entry
  %1 = load i16, ptr @events, align 2, !dbg !92
  %or = or i16 %1, 1, !dbg !92
  store i16 %or, ptr @events, align 2, !dbg !92
  store i8 1, ptr %retval, align 1, !dbg !93
  br label %return, !dbg !93

return:                                           ; preds = %if.end, %if.then
  %2 = load i8, ptr %retval, align 1, !dbg !94
  ret i8 %2, !dbg !94
}

; Function Attrs: noinline nounwind optnone
define dso_local void @port_pin_as_output(i16 noundef zeroext %port) #0 !dbg !95 {
entry:
  %port.addr = alloca i16, align 2
  store i16 %port, ptr %port.addr, align 2
    #dbg_declare(ptr %port.addr, !98, !DIExpression(), !99)
  %0 = load i16, ptr %port.addr, align 2, !dbg !100
  %add = add i16 %0, 32, !dbg !100
  %1 = inttoptr i16 %add to ptr, !dbg !100
  %2 = load volatile i8, ptr %1, align 1, !dbg !101
  %conv = zext i8 %2 to i16, !dbg !101
  %and = and i16 %conv, 253, !dbg !101
  %conv1 = trunc i16 %and to i8, !dbg !101
  store volatile i8 %conv1, ptr %1, align 1, !dbg !101
  ret void, !dbg !102
}

; Function Attrs: noinline nounwind optnone
define dso_local void @timer_start() #0 !dbg !103 {
entry:
  %0 = load volatile i8, ptr inttoptr (i16 240 to ptr), align 1, !dbg !104
  %conv = zext i8 %0 to i16, !dbg !104
  %or = or i16 %conv, 1, !dbg !104
  %conv1 = trunc i16 %or to i8, !dbg !104
  store volatile i8 %conv1, ptr inttoptr (i16 240 to ptr), align 1, !dbg !104
  %bf.load = load volatile i8, ptr inttoptr (i16 -31 to ptr), align 1, !dbg !105
  %bf.clear = and i8 %bf.load, -65, !dbg !105
  %bf.set = or i8 %bf.clear, 0, !dbg !105
  store volatile i8 %bf.set, ptr inttoptr (i16 -31 to ptr), align 1, !dbg !105
  %bf.load2 = load volatile i8, ptr inttoptr (i16 -27 to ptr), align 1, !dbg !106
  %bf.clear3 = and i8 %bf.load2, -65, !dbg !106
  %bf.set4 = or i8 %bf.clear3, 0, !dbg !106
  store volatile i8 %bf.set4, ptr inttoptr (i16 -27 to ptr), align 1, !dbg !106
  %1 = load volatile i8, ptr inttoptr (i16 434 to ptr), align 1, !dbg !107
  %conv5 = zext i8 %1 to i16, !dbg !107
  %or6 = or i16 %conv5, 1, !dbg !107
  %conv7 = trunc i16 %or6 to i8, !dbg !107
  store volatile i8 %conv7, ptr inttoptr (i16 434 to ptr), align 1, !dbg !107
  ret void, !dbg !108
}

; Function Attrs: noinline nounwind optnone
define dso_local void @timer_stop() #0 !dbg !109 {
entry:
  %0 = load volatile i8, ptr inttoptr (i16 436 to ptr), align 1, !dbg !110
  %conv = zext i8 %0 to i16, !dbg !110
  %or = or i16 %conv, 1, !dbg !110
  %conv1 = trunc i16 %or to i8, !dbg !110
  store volatile i8 %conv1, ptr inttoptr (i16 436 to ptr), align 1, !dbg !110
  %bf.load = load volatile i8, ptr inttoptr (i16 -27 to ptr), align 1, !dbg !111
  %bf.clear = and i8 %bf.load, -65, !dbg !111
  %bf.set = or i8 %bf.clear, 64, !dbg !111
  store volatile i8 %bf.set, ptr inttoptr (i16 -27 to ptr), align 1, !dbg !111
  %bf.load2 = load volatile i8, ptr inttoptr (i16 -31 to ptr), align 1, !dbg !112
  %bf.clear3 = and i8 %bf.load2, -65, !dbg !112
  %bf.set4 = or i8 %bf.clear3, 0, !dbg !112
  store volatile i8 %bf.set4, ptr inttoptr (i16 -31 to ptr), align 1, !dbg !112
  %1 = load volatile i8, ptr inttoptr (i16 240 to ptr), align 1, !dbg !113
  %conv5 = zext i8 %1 to i16, !dbg !113
  %and = and i16 %conv5, 254, !dbg !113
  %conv6 = trunc i16 %and to i8, !dbg !113
  store volatile i8 %conv6, ptr inttoptr (i16 240 to ptr), align 1, !dbg !113
  ret void, !dbg !114
}

; Function Attrs: noinline nounwind optnone
define dso_local void @timer_output_enable() #0 !dbg !115 {
entry:
  %0 = load volatile i16, ptr inttoptr (i16 442 to ptr), align 2, !dbg !116
  %or = or i16 %0, 1, !dbg !116
  store volatile i16 %or, ptr inttoptr (i16 442 to ptr), align 2, !dbg !116
  ret void, !dbg !117
}

; Function Attrs: noinline nounwind optnone
define dso_local void @timer_output_high() #0 !dbg !118 {
entry:
  %0 = load volatile i8, ptr inttoptr (i16 440 to ptr), align 1, !dbg !119
  %conv = zext i8 %0 to i16, !dbg !119
  %or = or i16 %conv, 1, !dbg !119
  %conv1 = trunc i16 %or to i8, !dbg !119
  store volatile i8 %conv1, ptr inttoptr (i16 440 to ptr), align 1, !dbg !119
  ret void, !dbg !120
}

; Function Attrs: noinline nounwind optnone
define dso_local void @timer_mode_interval() #0 !dbg !121 {
entry:
  %0 = load volatile i16, ptr inttoptr (i16 400 to ptr), align 2, !dbg !122
  %and = and i16 %0, -16, !dbg !122
  store volatile i16 %and, ptr inttoptr (i16 400 to ptr), align 2, !dbg !122
  %1 = load volatile i16, ptr inttoptr (i16 400 to ptr), align 2, !dbg !123
  %or = or i16 %1, 1, !dbg !123
  store volatile i16 %or, ptr inttoptr (i16 400 to ptr), align 2, !dbg !123
  ret void, !dbg !124
}

; Function Attrs: noinline nounwind optnone
define dso_local void @timer_interrupt() #0 !dbg !125 {
entry:
  %0 = load i16, ptr @events, align 2, !dbg !126
  %or = or i16 %0, 256, !dbg !126
  store i16 %or, ptr @events, align 2, !dbg !126
  %1 = load volatile i8, ptr @heartbeat, align 1, !dbg !127
  %conv = zext i8 %1 to i16, !dbg !127
  %xor = xor i16 %conv, 1, !dbg !127
  %conv1 = trunc i16 %xor to i8, !dbg !127
  store volatile i8 %conv1, ptr @heartbeat, align 1, !dbg !127
  %2 = load volatile i8, ptr inttoptr (i16 -251 to ptr), align 1, !dbg !128
  %conv2 = zext i8 %2 to i16, !dbg !128
  %xor3 = xor i16 %conv2, 8, !dbg !128
  %conv4 = trunc i16 %xor3 to i8, !dbg !128
  store volatile i8 %conv4, ptr inttoptr (i16 -251 to ptr), align 1, !dbg !128
  ret void, !dbg !129
}

; Function Attrs: noinline nounwind optnone
define dso_local zeroext i16 @events_take_tick() #0 !dbg !130 {
entry:
  %seen = alloca i16, align 2
    #dbg_declare(ptr %seen, !133, !DIExpression(), !134)
  %0 = load i16, ptr @events, align 2, !dbg !135
  store i16 %0, ptr %seen, align 2, !dbg !134
  %1 = load i16, ptr %seen, align 2, !dbg !136
  %and = and i16 %1, -257, !dbg !137
  store i16 %and, ptr @events, align 2, !dbg !138
  %2 = load i16, ptr %seen, align 2, !dbg !139
  ret i16 %2, !dbg !140
}

; Function Attrs: noinline nounwind optnone
define dso_local void @external_interrupt_enable() #0 !dbg !141 {
entry:
  %0 = load volatile i8, ptr inttoptr (i16 -32 to ptr), align 1, !dbg !142
  %conv = zext i8 %0 to i16, !dbg !142
  %and = and i16 %conv, 251, !dbg !142
  %conv1 = trunc i16 %and to i8, !dbg !142
  store volatile i8 %conv1, ptr inttoptr (i16 -32 to ptr), align 1, !dbg !142
  %1 = load volatile i8, ptr inttoptr (i16 -28 to ptr), align 1, !dbg !143
  %conv2 = zext i8 %1 to i16, !dbg !143
  %and3 = and i16 %conv2, 251, !dbg !143
  %conv4 = trunc i16 %and3 to i8, !dbg !143
  store volatile i8 %conv4, ptr inttoptr (i16 -28 to ptr), align 1, !dbg !143
  ret void, !dbg !144
}

; Function Attrs: noinline nounwind optnone
define dso_local void @serial_start(ptr noundef %unit) #0 !dbg !145 {
entry:
  %unit.addr = alloca ptr, align 2
  store ptr %unit, ptr %unit.addr, align 2
    #dbg_declare(ptr %unit.addr, !148, !DIExpression(), !149)
  %0 = load ptr, ptr %unit.addr, align 2, !dbg !150
  %start = getelementptr inbounds %struct.serial_unit, ptr %0, i32 0, i32 6, !dbg !151
  %1 = load volatile i8, ptr %start, align 2, !dbg !152
  %conv = zext i8 %1 to i16, !dbg !152
  %or = or i16 %conv, 1, !dbg !152
  %conv1 = trunc i16 %or to i8, !dbg !152
  store volatile i8 %conv1, ptr %start, align 2, !dbg !152
  ret void, !dbg !153
}

; Function Attrs: noinline nounwind optnone
define dso_local void @serial_stop() #0 !dbg !154 {
entry:
  %0 = load volatile i8, ptr getelementptr inbounds (%struct.serial_unit, ptr inttoptr (i16 256 to ptr), i32 0, i32 8), align 2, !dbg !155
  %conv = zext i8 %0 to i16, !dbg !155
  %or = or i16 %conv, 1, !dbg !155
  %conv1 = trunc i16 %or to i8, !dbg !155
  store volatile i8 %conv1, ptr getelementptr inbounds (%struct.serial_unit, ptr inttoptr (i16 256 to ptr), i32 0, i32 8), align 2, !dbg !155
  ret void, !dbg !156
}

; Function Attrs: noinline nounwind optnone
define dso_local void @serial_mark_parity() #0 !dbg !157 {
entry:
  %0 = load volatile i8, ptr inttoptr (i16 -240 to ptr), align 1, !dbg !158
  %conv = zext i8 %0 to i16, !dbg !158
  %or = or i16 %conv, 128, !dbg !158
  %conv1 = trunc i16 %or to i8, !dbg !158
  store volatile i8 %conv1, ptr inttoptr (i16 -240 to ptr), align 1, !dbg !158
  ret void, !dbg !159
}

; Function Attrs: noinline nounwind optnone
define dso_local void @watchdog_touch() #0 !dbg !160 {
entry:
  %0 = load volatile i8, ptr inttoptr (i16 -85 to ptr), align 1, !dbg !161
  %conv = zext i8 %0 to i16, !dbg !161
  %or = or i16 %conv, 4, !dbg !161
  %conv1 = trunc i16 %or to i8, !dbg !161
  store volatile i8 %conv1, ptr inttoptr (i16 -85 to ptr), align 1, !dbg !161
  ret void, !dbg !162
}

; Function Attrs: noinline nounwind optnone
define dso_local void @options_lock() #0 !dbg !163 {
entry:
  %0 = load i32, ptr @options, align 2, !dbg !164
  %or = or i32 %0, 4194304, !dbg !164
  store i32 %or, ptr @options, align 2, !dbg !164
  ret void, !dbg !165
}

attributes #0 = { noinline nounwind optnone "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!49, !50, !51}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "events", scope: !2, file: !3, line: 53, type: !24, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C99, file: !3, isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !4, globals: !42, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "g23_driver.c", directory: ".")
!4 = !{!5, !8, !10, !22, !24, !26}
!5 = !DIDerivedType(tag: DW_TAG_typedef, name: "uint8_t", file: !6, line: 270, baseType: !7)
!6 = !DIFile(filename: "./stdint.h", directory: "")
!7 = !DIBasicType(name: "unsigned char", size: 8, encoding: DW_ATE_unsigned_char)
!8 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !9, size: 16)
!9 = !DIDerivedType(tag: DW_TAG_volatile_type, baseType: !5)
!10 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !11, size: 16)
!11 = !DIDerivedType(tag: DW_TAG_volatile_type, baseType: !12)
!12 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "bits", file: !3, line: 33, size: 8, elements: !13)
!13 = !{!14, !15, !16, !17, !18, !19, !20, !21}
!14 = !DIDerivedType(tag: DW_TAG_member, name: "no0", scope: !12, file: !3, line: 34, baseType: !5, size: 1, flags: DIFlagBitField, extraData: i64 0)
!15 = !DIDerivedType(tag: DW_TAG_member, name: "no1", scope: !12, file: !3, line: 34, baseType: !5, size: 1, offset: 1, flags: DIFlagBitField, extraData: i64 0)
!16 = !DIDerivedType(tag: DW_TAG_member, name: "no2", scope: !12, file: !3, line: 34, baseType: !5, size: 1, offset: 2, flags: DIFlagBitField, extraData: i64 0)
!17 = !DIDerivedType(tag: DW_TAG_member, name: "no3", scope: !12, file: !3, line: 34, baseType: !5, size: 1, offset: 3, flags: DIFlagBitField, extraData: i64 0)
!18 = !DIDerivedType(tag: DW_TAG_member, name: "no4", scope: !12, file: !3, line: 34, baseType: !5, size: 1, offset: 4, flags: DIFlagBitField, extraData: i64 0)
!19 = !DIDerivedType(tag: DW_TAG_member, name: "no5", scope: !12, file: !3, line: 34, baseType: !5, size: 1, offset: 5, flags: DIFlagBitField, extraData: i64 0)
!20 = !DIDerivedType(tag: DW_TAG_member, name: "no6", scope: !12, file: !3, line: 34, baseType: !5, size: 1, offset: 6, flags: DIFlagBitField, extraData: i64 0)
!21 = !DIDerivedType(tag: DW_TAG_member, name: "no7", scope: !12, file: !3, line: 34, baseType: !5, size: 1, offset: 7, flags: DIFlagBitField, extraData: i64 0)
!22 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !23, size: 16)
!23 = !DIDerivedType(tag: DW_TAG_volatile_type, baseType: !24)
!24 = !DIDerivedType(tag: DW_TAG_typedef, name: "uint16_t", file: !6, line: 247, baseType: !25)
!25 = !DIBasicType(name: "unsigned short", size: 16, encoding: DW_ATE_unsigned)
!26 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !27, size: 16)
!27 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "serial_unit", file: !3, line: 182, size: 304, elements: !28)
!28 = !{!29, !33, !34, !35, !36, !37, !38, !39, !40, !41}
!29 = !DIDerivedType(tag: DW_TAG_member, name: "status", scope: !27, file: !3, line: 183, baseType: !30, size: 64)
!30 = !DICompositeType(tag: DW_TAG_array_type, baseType: !24, size: 64, elements: !31)
!31 = !{!32}
!32 = !DISubrange(count: 4)
!33 = !DIDerivedType(tag: DW_TAG_member, name: "clear", scope: !27, file: !3, line: 183, baseType: !30, size: 64, offset: 64)
!34 = !DIDerivedType(tag: DW_TAG_member, name: "mode", scope: !27, file: !3, line: 183, baseType: !30, size: 64, offset: 128)
!35 = !DIDerivedType(tag: DW_TAG_member, name: "format", scope: !27, file: !3, line: 183, baseType: !30, size: 64, offset: 192)
!36 = !DIDerivedType(tag: DW_TAG_member, name: "enabled", scope: !27, file: !3, line: 184, baseType: !9, size: 8, offset: 256)
!37 = !DIDerivedType(tag: DW_TAG_member, name: "enabled_high", scope: !27, file: !3, line: 184, baseType: !9, size: 8, offset: 264)
!38 = !DIDerivedType(tag: DW_TAG_member, name: "start", scope: !27, file: !3, line: 185, baseType: !9, size: 8, offset: 272)
!39 = !DIDerivedType(tag: DW_TAG_member, name: "start_high", scope: !27, file: !3, line: 185, baseType: !9, size: 8, offset: 280)
!40 = !DIDerivedType(tag: DW_TAG_member, name: "stop", scope: !27, file: !3, line: 186, baseType: !9, size: 8, offset: 288)
!41 = !DIDerivedType(tag: DW_TAG_member, name: "stop_high", scope: !27, file: !3, line: 186, baseType: !9, size: 8, offset: 296)
!42 = !{!0, !43, !45}
!43 = !DIGlobalVariableExpression(var: !44, expr: !DIExpression())
!44 = distinct !DIGlobalVariable(name: "heartbeat", scope: !2, file: !3, line: 54, type: !9, isLocal: false, isDefinition: true)
!45 = !DIGlobalVariableExpression(var: !46, expr: !DIExpression())
!46 = distinct !DIGlobalVariable(name: "options", scope: !2, file: !3, line: 55, type: !47, isLocal: false, isDefinition: true)
!47 = !DIDerivedType(tag: DW_TAG_typedef, name: "uint32_t", file: !6, line: 202, baseType: !48)
!48 = !DIBasicType(name: "unsigned long", size: 32, encoding: DW_ATE_unsigned)
!49 = !{i32 7, !"Dwarf Version", i32 5}
!50 = !{i32 2, !"Debug Info Version", i32 3}
!51 = !{i32 1, !"wchar_size", i32 2}
!52 = distinct !DISubprogram(name: "led_init", scope: !3, file: !3, line: 60, type: !53, scopeLine: 61, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2)
!53 = !DISubroutineType(types: !54)
!54 = !{null}
!55 = !DILocation(line: 62, column: 8, scope: !52)
!56 = !DILocation(line: 63, column: 9, scope: !52)
!57 = !DILocation(line: 64, column: 1, scope: !52)
!58 = distinct !DISubprogram(name: "led_on", scope: !3, file: !3, line: 66, type: !53, scopeLine: 67, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2)
!59 = !DILocation(line: 68, column: 8, scope: !58)
!60 = !DILocation(line: 69, column: 1, scope: !58)
!61 = distinct !DISubprogram(name: "led_off", scope: !3, file: !3, line: 71, type: !53, scopeLine: 72, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2)
!62 = !DILocation(line: 73, column: 8, scope: !61)
!63 = !DILocation(line: 74, column: 1, scope: !61)
!64 = distinct !DISubprogram(name: "led_toggle", scope: !3, file: !3, line: 77, type: !53, scopeLine: 78, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2)
!65 = !DILocation(line: 79, column: 8, scope: !64)
!66 = !DILocation(line: 80, column: 1, scope: !64)
!67 = distinct !DISubprogram(name: "led_write", scope: !3, file: !3, line: 83, type: !68, scopeLine: 84, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !70)
!68 = !DISubroutineType(types: !69)
!69 = !{null, !5}
!70 = !{}
!71 = !DILocalVariable(name: "on", arg: 1, scope: !67, file: !3, line: 83, type: !5)
!72 = !DILocation(line: 83, column: 24, scope: !67)
!73 = !DILocation(line: 85, column: 15, scope: !67)
!74 = !DILocation(line: 85, column: 13, scope: !67)
!75 = !DILocation(line: 86, column: 1, scope: !67)
!76 = distinct !DISubprogram(name: "led_pair_on", scope: !3, file: !3, line: 89, type: !53, scopeLine: 90, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2)
!77 = !DILocation(line: 91, column: 8, scope: !76)
!78 = !DILocation(line: 92, column: 9, scope: !76)
!79 = !DILocation(line: 93, column: 1, scope: !76)
!80 = distinct !DISubprogram(name: "button_init", scope: !3, file: !3, line: 96, type: !53, scopeLine: 97, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2)
!81 = !DILocation(line: 98, column: 9, scope: !80)
!82 = !DILocation(line: 99, column: 9, scope: !80)
!83 = !DILocation(line: 100, column: 1, scope: !80)
!84 = distinct !DISubprogram(name: "button_pressed", scope: !3, file: !3, line: 102, type: !85, scopeLine: 103, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2)
!85 = !DISubroutineType(types: !86)
!86 = !{!5}
!87 = !DILocation(line: 104, column: 9, scope: !88)
!88 = distinct !DILexicalBlock(scope: !84, file: !3, line: 104, column: 9)
!89 = !DILocation(line: 104, column: 12, scope: !88)
!90 = !DILocation(line: 104, column: 9, scope: !84)
!91 = !DILocation(line: 105, column: 9, scope: !88)
!92 = !DILocation(line: 106, column: 12, scope: !84)
!93 = !DILocation(line: 107, column: 5, scope: !84)
!94 = !DILocation(line: 108, column: 1, scope: !84)
!95 = distinct !DISubprogram(name: "port_pin_as_output", scope: !3, file: !3, line: 114, type: !96, scopeLine: 115, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !70)
!96 = !DISubroutineType(types: !97)
!97 = !{null, !24}
!98 = !DILocalVariable(name: "port", arg: 1, scope: !95, file: !3, line: 114, type: !24)
!99 = !DILocation(line: 114, column: 34, scope: !95)
!100 = !DILocation(line: 116, column: 5, scope: !95)
!101 = !DILocation(line: 116, column: 28, scope: !95)
!102 = !DILocation(line: 117, column: 1, scope: !95)
!103 = distinct !DISubprogram(name: "timer_start", scope: !3, file: !3, line: 121, type: !53, scopeLine: 122, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2)
!104 = !DILocation(line: 123, column: 10, scope: !103)
!105 = !DILocation(line: 124, column: 12, scope: !103)
!106 = !DILocation(line: 125, column: 12, scope: !103)
!107 = !DILocation(line: 126, column: 10, scope: !103)
!108 = !DILocation(line: 127, column: 1, scope: !103)
!109 = distinct !DISubprogram(name: "timer_stop", scope: !3, file: !3, line: 129, type: !53, scopeLine: 130, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2)
!110 = !DILocation(line: 131, column: 10, scope: !109)
!111 = !DILocation(line: 132, column: 12, scope: !109)
!112 = !DILocation(line: 133, column: 12, scope: !109)
!113 = !DILocation(line: 134, column: 10, scope: !109)
!114 = !DILocation(line: 135, column: 1, scope: !109)
!115 = distinct !DISubprogram(name: "timer_output_enable", scope: !3, file: !3, line: 138, type: !53, scopeLine: 139, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2)
!116 = !DILocation(line: 140, column: 10, scope: !115)
!117 = !DILocation(line: 141, column: 1, scope: !115)
!118 = distinct !DISubprogram(name: "timer_output_high", scope: !3, file: !3, line: 144, type: !53, scopeLine: 145, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2)
!119 = !DILocation(line: 146, column: 10, scope: !118)
!120 = !DILocation(line: 147, column: 1, scope: !118)
!121 = distinct !DISubprogram(name: "timer_mode_interval", scope: !3, file: !3, line: 150, type: !53, scopeLine: 151, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2)
!122 = !DILocation(line: 152, column: 11, scope: !121)
!123 = !DILocation(line: 153, column: 11, scope: !121)
!124 = !DILocation(line: 154, column: 1, scope: !121)
!125 = distinct !DISubprogram(name: "timer_interrupt", scope: !3, file: !3, line: 158, type: !53, scopeLine: 159, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2)
!126 = !DILocation(line: 160, column: 12, scope: !125)
!127 = !DILocation(line: 161, column: 15, scope: !125)
!128 = !DILocation(line: 162, column: 8, scope: !125)
!129 = !DILocation(line: 163, column: 1, scope: !125)
!130 = distinct !DISubprogram(name: "events_take_tick", scope: !3, file: !3, line: 166, type: !131, scopeLine: 167, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !70)
!131 = !DISubroutineType(types: !132)
!132 = !{!24}
!133 = !DILocalVariable(name: "seen", scope: !130, file: !3, line: 168, type: !24)
!134 = !DILocation(line: 168, column: 14, scope: !130)
!135 = !DILocation(line: 168, column: 21, scope: !130)
!136 = !DILocation(line: 169, column: 14, scope: !130)
!137 = !DILocation(line: 169, column: 19, scope: !130)
!138 = !DILocation(line: 169, column: 12, scope: !130)
!139 = !DILocation(line: 170, column: 12, scope: !130)
!140 = !DILocation(line: 170, column: 5, scope: !130)
!141 = distinct !DISubprogram(name: "external_interrupt_enable", scope: !3, file: !3, line: 175, type: !53, scopeLine: 176, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2)
!142 = !DILocation(line: 177, column: 10, scope: !141)
!143 = !DILocation(line: 178, column: 10, scope: !141)
!144 = !DILocation(line: 179, column: 1, scope: !141)
!145 = distinct !DISubprogram(name: "serial_start", scope: !3, file: !3, line: 190, type: !146, scopeLine: 191, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !70)
!146 = !DISubroutineType(types: !147)
!147 = !{null, !26}
!148 = !DILocalVariable(name: "unit", arg: 1, scope: !145, file: !3, line: 190, type: !26)
!149 = !DILocation(line: 190, column: 39, scope: !145)
!150 = !DILocation(line: 192, column: 5, scope: !145)
!151 = !DILocation(line: 192, column: 11, scope: !145)
!152 = !DILocation(line: 192, column: 17, scope: !145)
!153 = !DILocation(line: 193, column: 1, scope: !145)
!154 = distinct !DISubprogram(name: "serial_stop", scope: !3, file: !3, line: 195, type: !53, scopeLine: 196, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2)
!155 = !DILocation(line: 197, column: 16, scope: !154)
!156 = !DILocation(line: 198, column: 1, scope: !154)
!157 = distinct !DISubprogram(name: "serial_mark_parity", scope: !3, file: !3, line: 201, type: !53, scopeLine: 202, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2)
!158 = !DILocation(line: 203, column: 10, scope: !157)
!159 = !DILocation(line: 204, column: 1, scope: !157)
!160 = distinct !DISubprogram(name: "watchdog_touch", scope: !3, file: !3, line: 208, type: !53, scopeLine: 209, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2)
!161 = !DILocation(line: 210, column: 10, scope: !160)
!162 = !DILocation(line: 211, column: 1, scope: !160)
!163 = distinct !DISubprogram(name: "options_lock", scope: !3, file: !3, line: 214, type: !53, scopeLine: 215, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2)
!164 = !DILocation(line: 216, column: 13, scope: !163)
!165 = !DILocation(line: 217, column: 1, scope: !163)
