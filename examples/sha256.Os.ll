; ModuleID = 'sha256.c'
source_filename = "sha256.c"
target datalayout = "e-m:o-p:16:16-p1:16:16-p2:32:16-p3:32:16-i32:16-i64:16-f32:16-f64:16-a:8-n8:16-S16"
target triple = "rl78-unknown-unknown-elf"

@initial_hash = internal unnamed_addr constant [8 x i32] [i32 1779033703, i32 -1150833019, i32 1013904242, i32 -1521486534, i32 1359893119, i32 -1694144372, i32 528734635, i32 1541459225], align 2
@round_constant = internal unnamed_addr constant [64 x i32] [i32 1116352408, i32 1899447441, i32 -1245643825, i32 -373957723, i32 961987163, i32 1508970993, i32 -1841331548, i32 -1424204075, i32 -670586216, i32 310598401, i32 607225278, i32 1426881987, i32 1925078388, i32 -2132889090, i32 -1680079193, i32 -1046744716, i32 -459576895, i32 -272742522, i32 264347078, i32 604807628, i32 770255983, i32 1249150122, i32 1555081692, i32 1996064986, i32 -1740746414, i32 -1473132947, i32 -1341970488, i32 -1084653625, i32 -958395405, i32 -710438585, i32 113926993, i32 338241895, i32 666307205, i32 773529912, i32 1294757372, i32 1396182291, i32 1695183700, i32 1986661051, i32 -2117940946, i32 -1838011259, i32 -1564481375, i32 -1474664885, i32 -1035236496, i32 -949202525, i32 -778901479, i32 -694614492, i32 -200395387, i32 275423344, i32 430227734, i32 506948616, i32 659060556, i32 883997877, i32 958139571, i32 1322822218, i32 1537002063, i32 1747873779, i32 1955562222, i32 2024104815, i32 -2067236844, i32 -1933114872, i32 -1866530822, i32 -1538233109, i32 -1090935817, i32 -965641998], align 2

; Function Attrs: nofree norecurse nounwind optsize memory(argmem: readwrite, inaccessiblemem: readwrite)
define dso_local void @sha256_init(ptr noundef %0) local_unnamed_addr #0 {
  %2 = load volatile i8, ptr %0, align 2, !tbaa !1
  %3 = and i8 %2, -3
  store volatile i8 %3, ptr %0, align 2, !tbaa !1
  %4 = load volatile i8, ptr %0, align 2, !tbaa !1
  %5 = and i8 %4, 127
  store volatile i8 %5, ptr %0, align 2, !tbaa !1
  %6 = getelementptr inbounds i8, ptr %0, i16 1
  store i8 0, ptr %6, align 1, !tbaa !6
  %7 = getelementptr inbounds i8, ptr %0, i16 34
  store i64 0, ptr %7, align 2, !tbaa !7
  %8 = getelementptr inbounds i8, ptr %0, i16 2
  br label %12

9:                                                ; preds = %12
  %10 = load volatile i8, ptr %0, align 2, !tbaa !1
  %11 = or i8 %10, 1
  store volatile i8 %11, ptr %0, align 2, !tbaa !1
  ret void

12:                                               ; preds = %1, %12
  %13 = phi i16 [ 0, %1 ], [ %17, %12 ]
  %14 = getelementptr inbounds [8 x i32], ptr @initial_hash, i16 0, i16 %13
  %15 = load i32, ptr %14, align 2, !tbaa !8
  %16 = getelementptr inbounds [8 x i32], ptr %8, i16 0, i16 %13
  store i32 %15, ptr %16, align 2, !tbaa !8
  %17 = add nuw nsw i16 %13, 1
  %18 = icmp eq i16 %17, 8
  br i1 %18, label %9, label %12
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: nofree norecurse nounwind optsize memory(read, argmem: readwrite, inaccessiblemem: readwrite)
define dso_local void @sha256_update(ptr noundef %0, ptr nocapture noundef readonly %1, i16 noundef %2) local_unnamed_addr #2 {
  %4 = load volatile i8, ptr %0, align 2, !tbaa !1
  %5 = and i8 %4, 1
  %6 = icmp eq i8 %5, 0
  br i1 %6, label %7, label %10

7:                                                ; preds = %3
  %8 = load volatile i8, ptr %0, align 2, !tbaa !1
  %9 = or i8 %8, -128
  store volatile i8 %9, ptr %0, align 2, !tbaa !1
  br label %23

10:                                               ; preds = %3
  %11 = zext i16 %2 to i64
  %12 = getelementptr inbounds i8, ptr %0, i16 34
  %13 = load i64, ptr %12, align 2, !tbaa !7
  %14 = add i64 %13, %11
  store i64 %14, ptr %12, align 2, !tbaa !7
  %15 = icmp eq i16 %2, 0
  br i1 %15, label %23, label %16

16:                                               ; preds = %10, %16
  %17 = phi i16 [ %19, %16 ], [ %2, %10 ]
  %18 = phi ptr [ %20, %16 ], [ %1, %10 ]
  %19 = add i16 %17, -1
  %20 = getelementptr inbounds i8, ptr %18, i16 1
  %21 = load i8, ptr %18, align 1, !tbaa !10
  tail call fastcc void @append(ptr noundef nonnull %0, i8 noundef zeroext %21) #5
  %22 = icmp eq i16 %19, 0
  br i1 %22, label %23, label %16

23:                                               ; preds = %16, %10, %7
  ret void
}

; Function Attrs: nofree norecurse nosync nounwind optsize memory(argmem: readwrite)
define internal fastcc void @append(ptr nocapture noundef %0, i8 noundef zeroext %1) unnamed_addr #3 {
  %3 = alloca [16 x i32], align 2
  %4 = getelementptr inbounds i8, ptr %0, i16 42
  %5 = getelementptr inbounds i8, ptr %0, i16 1
  %6 = load i8, ptr %5, align 1, !tbaa !6
  %7 = add i8 %6, 1
  store i8 %7, ptr %5, align 1, !tbaa !6
  %8 = zext i8 %6 to i16
  %9 = getelementptr inbounds [64 x i8], ptr %4, i16 0, i16 %8
  store i8 %1, ptr %9, align 1, !tbaa !10
  %10 = icmp eq i8 %7, 64
  br i1 %10, label %11, label %129

11:                                               ; preds = %2
  %12 = getelementptr inbounds i8, ptr %0, i16 2
  call void @llvm.lifetime.start.p0(i64 64, ptr nonnull %3) #6
  %13 = load i32, ptr %12, align 2, !tbaa !8
  %14 = getelementptr inbounds i8, ptr %0, i16 6
  %15 = load i32, ptr %14, align 2, !tbaa !8
  %16 = getelementptr inbounds i8, ptr %0, i16 10
  %17 = load i32, ptr %16, align 2, !tbaa !8
  %18 = getelementptr inbounds i8, ptr %0, i16 14
  %19 = load i32, ptr %18, align 2, !tbaa !8
  %20 = getelementptr inbounds i8, ptr %0, i16 18
  %21 = load i32, ptr %20, align 2, !tbaa !8
  %22 = getelementptr inbounds i8, ptr %0, i16 22
  %23 = load i32, ptr %22, align 2, !tbaa !8
  %24 = getelementptr inbounds i8, ptr %0, i16 26
  %25 = load i32, ptr %24, align 2, !tbaa !8
  %26 = getelementptr inbounds i8, ptr %0, i16 30
  %27 = load i32, ptr %26, align 2, !tbaa !8
  br label %28

28:                                               ; preds = %89, %11
  %29 = phi i32 [ %13, %11 ], [ %118, %89 ]
  %30 = phi i32 [ %15, %11 ], [ %29, %89 ]
  %31 = phi i32 [ %17, %11 ], [ %30, %89 ]
  %32 = phi i16 [ 0, %11 ], [ %90, %89 ]
  %33 = phi i32 [ %27, %11 ], [ %34, %89 ]
  %34 = phi i32 [ %25, %11 ], [ %35, %89 ]
  %35 = phi i32 [ %23, %11 ], [ %36, %89 ]
  %36 = phi i32 [ %21, %11 ], [ %117, %89 ]
  %37 = phi i32 [ %19, %11 ], [ %31, %89 ]
  %38 = and i16 %32, 15
  %39 = getelementptr inbounds [16 x i32], ptr %3, i16 0, i16 %38
  %40 = icmp ult i16 %32, 16
  br i1 %40, label %41, label %62

41:                                               ; preds = %28
  %42 = shl nuw nsw i16 %32, 2
  %43 = getelementptr inbounds i8, ptr %4, i16 %42
  %44 = load i8, ptr %43, align 1, !tbaa !10
  %45 = zext i8 %44 to i32
  %46 = shl nuw i32 %45, 24
  %47 = getelementptr inbounds i8, ptr %43, i16 1
  %48 = load i8, ptr %47, align 1, !tbaa !10
  %49 = zext i8 %48 to i32
  %50 = shl nuw nsw i32 %49, 16
  %51 = or disjoint i32 %50, %46
  %52 = getelementptr inbounds i8, ptr %43, i16 2
  %53 = load i8, ptr %52, align 1, !tbaa !10
  %54 = zext i8 %53 to i32
  %55 = shl nuw nsw i32 %54, 8
  %56 = or disjoint i32 %51, %55
  %57 = getelementptr inbounds i8, ptr %43, i16 3
  %58 = load i8, ptr %57, align 1, !tbaa !10
  %59 = zext i8 %58 to i32
  %60 = or disjoint i32 %56, %59
  %61 = add nuw nsw i16 %32, 1
  br label %89

62:                                               ; preds = %28
  %63 = add nuw nsw i16 %32, 14
  %64 = and i16 %63, 15
  %65 = getelementptr inbounds [16 x i32], ptr %3, i16 0, i16 %64
  %66 = load i32, ptr %65, align 2, !tbaa !8
  %67 = tail call i32 @llvm.fshl.i32(i32 %66, i32 %66, i32 15)
  %68 = tail call i32 @llvm.fshl.i32(i32 %66, i32 %66, i32 13)
  %69 = xor i32 %67, %68
  %70 = lshr i32 %66, 10
  %71 = xor i32 %69, %70
  %72 = add nuw nsw i16 %32, 9
  %73 = and i16 %72, 15
  %74 = getelementptr inbounds [16 x i32], ptr %3, i16 0, i16 %73
  %75 = load i32, ptr %74, align 2, !tbaa !8
  %76 = add i32 %71, %75
  %77 = add nuw nsw i16 %32, 1
  %78 = and i16 %77, 15
  %79 = getelementptr inbounds [16 x i32], ptr %3, i16 0, i16 %78
  %80 = load i32, ptr %79, align 2, !tbaa !8
  %81 = tail call i32 @llvm.fshl.i32(i32 %80, i32 %80, i32 25)
  %82 = tail call i32 @llvm.fshl.i32(i32 %80, i32 %80, i32 14)
  %83 = xor i32 %81, %82
  %84 = lshr i32 %80, 3
  %85 = xor i32 %83, %84
  %86 = load i32, ptr %39, align 2, !tbaa !8
  %87 = add i32 %76, %86
  %88 = add i32 %87, %85
  br label %89

89:                                               ; preds = %62, %41
  %90 = phi i16 [ %77, %62 ], [ %61, %41 ]
  %91 = phi i32 [ %88, %62 ], [ %60, %41 ]
  store i32 %91, ptr %39, align 2, !tbaa !8
  %92 = tail call i32 @llvm.fshl.i32(i32 %36, i32 %36, i32 26)
  %93 = tail call i32 @llvm.fshl.i32(i32 %36, i32 %36, i32 21)
  %94 = xor i32 %92, %93
  %95 = tail call i32 @llvm.fshl.i32(i32 %36, i32 %36, i32 7)
  %96 = xor i32 %94, %95
  %97 = and i32 %36, %35
  %98 = xor i32 %36, -1
  %99 = and i32 %34, %98
  %100 = getelementptr inbounds [64 x i32], ptr @round_constant, i16 0, i16 %32
  %101 = load i32, ptr %100, align 2, !tbaa !8
  %102 = add i32 %97, %33
  %103 = add i32 %102, %99
  %104 = add i32 %103, %96
  %105 = add i32 %104, %91
  %106 = add i32 %105, %101
  %107 = tail call i32 @llvm.fshl.i32(i32 %29, i32 %29, i32 30)
  %108 = tail call i32 @llvm.fshl.i32(i32 %29, i32 %29, i32 19)
  %109 = xor i32 %107, %108
  %110 = tail call i32 @llvm.fshl.i32(i32 %29, i32 %29, i32 10)
  %111 = xor i32 %109, %110
  %112 = xor i32 %31, %30
  %113 = and i32 %112, %29
  %114 = and i32 %31, %30
  %115 = xor i32 %113, %114
  %116 = add i32 %115, %111
  %117 = add i32 %106, %37
  %118 = add i32 %116, %106
  %119 = icmp eq i16 %90, 64
  br i1 %119, label %120, label %28

120:                                              ; preds = %89
  %121 = add i32 %118, %13
  store i32 %121, ptr %12, align 2, !tbaa !8
  %122 = add i32 %29, %15
  store i32 %122, ptr %14, align 2, !tbaa !8
  %123 = add i32 %30, %17
  store i32 %123, ptr %16, align 2, !tbaa !8
  %124 = add i32 %31, %19
  store i32 %124, ptr %18, align 2, !tbaa !8
  %125 = add i32 %117, %21
  store i32 %125, ptr %20, align 2, !tbaa !8
  %126 = add i32 %36, %23
  store i32 %126, ptr %22, align 2, !tbaa !8
  %127 = add i32 %35, %25
  store i32 %127, ptr %24, align 2, !tbaa !8
  %128 = add i32 %34, %27
  store i32 %128, ptr %26, align 2, !tbaa !8
  call void @llvm.lifetime.end.p0(i64 64, ptr nonnull %3) #6
  store i8 0, ptr %5, align 1, !tbaa !6
  br label %129

129:                                              ; preds = %120, %2
  ret void
}

; Function Attrs: nofree norecurse nounwind optsize memory(argmem: readwrite, inaccessiblemem: readwrite)
define dso_local void @sha256_final(ptr noundef %0, ptr nocapture noundef writeonly %1) local_unnamed_addr #0 {
  %3 = getelementptr inbounds i8, ptr %0, i16 34
  %4 = load i64, ptr %3, align 2, !tbaa !7
  %5 = shl i64 %4, 3
  tail call fastcc void @append(ptr noundef %0, i8 noundef zeroext -128) #5
  %6 = getelementptr inbounds i8, ptr %0, i16 1
  %7 = load i8, ptr %6, align 1, !tbaa !6
  %8 = icmp eq i8 %7, 56
  br i1 %8, label %9, label %10

9:                                                ; preds = %10, %2
  br label %15

10:                                               ; preds = %2, %10
  tail call fastcc void @append(ptr noundef nonnull %0, i8 noundef zeroext 0) #5
  %11 = load i8, ptr %6, align 1, !tbaa !6
  %12 = icmp eq i8 %11, 56
  br i1 %12, label %9, label %10

13:                                               ; preds = %15
  %14 = getelementptr inbounds i8, ptr %0, i16 2
  br label %29

15:                                               ; preds = %9, %15
  %16 = phi i16 [ %22, %15 ], [ 0, %9 ]
  %17 = shl nuw nsw i16 %16, 3
  %18 = sub nuw nsw i16 56, %17
  %19 = zext nneg i16 %18 to i64
  %20 = lshr i64 %5, %19
  %21 = trunc i64 %20 to i8
  tail call fastcc void @append(ptr noundef %0, i8 noundef zeroext %21) #5
  %22 = add nuw nsw i16 %16, 1
  %23 = icmp eq i16 %22, 8
  br i1 %23, label %13, label %15

24:                                               ; preds = %29
  %25 = load volatile i8, ptr %0, align 2, !tbaa !1
  %26 = and i8 %25, -2
  store volatile i8 %26, ptr %0, align 2, !tbaa !1
  %27 = load volatile i8, ptr %0, align 2, !tbaa !1
  %28 = or i8 %27, 2
  store volatile i8 %28, ptr %0, align 2, !tbaa !1
  ret void

29:                                               ; preds = %13, %29
  %30 = phi i16 [ 0, %13 ], [ %45, %29 ]
  %31 = shl nuw nsw i16 %30, 2
  %32 = getelementptr inbounds i8, ptr %1, i16 %31
  %33 = getelementptr inbounds [8 x i32], ptr %14, i16 0, i16 %30
  %34 = load i32, ptr %33, align 2, !tbaa !8
  %35 = lshr i32 %34, 24
  %36 = trunc nuw i32 %35 to i8
  store i8 %36, ptr %32, align 1, !tbaa !10
  %37 = lshr i32 %34, 16
  %38 = trunc i32 %37 to i8
  %39 = getelementptr inbounds i8, ptr %32, i16 1
  store i8 %38, ptr %39, align 1, !tbaa !10
  %40 = lshr i32 %34, 8
  %41 = trunc i32 %40 to i8
  %42 = getelementptr inbounds i8, ptr %32, i16 2
  store i8 %41, ptr %42, align 1, !tbaa !10
  %43 = trunc i32 %34 to i8
  %44 = getelementptr inbounds i8, ptr %32, i16 3
  store i8 %43, ptr %44, align 1, !tbaa !10
  %45 = add nuw nsw i16 %30, 1
  %46 = icmp eq i16 %45, 8
  br i1 %46, label %24, label %29
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.fshl.i32(i32, i32, i32) #4

attributes #0 = { nofree norecurse nounwind optsize memory(argmem: readwrite, inaccessiblemem: readwrite) "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nofree norecurse nounwind optsize memory(read, argmem: readwrite, inaccessiblemem: readwrite) "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #3 = { nofree norecurse nosync nounwind optsize memory(argmem: readwrite) "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #4 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { nobuiltin optsize "no-builtins" }
attributes #6 = { nounwind }

!llvm.module.flags = !{!0}

!0 = !{i32 1, !"wchar_size", i32 2}
!1 = !{!2, !3, i64 0}
!2 = !{!"sha256_context", !3, i64 0, !3, i64 1, !3, i64 2, !5, i64 34, !3, i64 42}
!3 = !{!"omnipotent char", !4, i64 0}
!4 = !{!"Simple C/C++ TBAA"}
!5 = !{!"long long", !3, i64 0}
!6 = !{!2, !3, i64 1}
!7 = !{!2, !5, i64 34}
!8 = !{!9, !9, i64 0}
!9 = !{!"long", !3, i64 0}
!10 = !{!3, !3, i64 0}
